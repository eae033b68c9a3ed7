"""Tests of the installed package against a real server. The project's test/client/python.test.ts runs them."""
