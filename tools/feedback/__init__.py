"""Feedback: applies what a person says about an answer, a lesson or a look-up."""
