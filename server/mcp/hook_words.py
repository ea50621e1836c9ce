"""The words that hooks of a host and this server share; without an import, for whoever is to answer
before anything is loaded."""

SILENCE = "{}"
"""The answer to a hook when there is nothing to say."""

PROMPT = "UserPromptSubmit"
"""The event of a prompt, whose content is the task."""
