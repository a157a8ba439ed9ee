"""Tournaments, standings, ratings and leaderboards, and the pages that need them."""
