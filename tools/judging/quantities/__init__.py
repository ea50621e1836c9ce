"""Percentages, units, dates, and one quantity that is named twice: do they fit each other?"""
