"""The words that a host's hooks and this server share; imports nothing, for the front."""

SILENCE = "{}"
"""The answer to a hook when there is nothing to say."""

PROMPT = "UserPromptSubmit"
"""The event of a prompt, whose content is the task."""
