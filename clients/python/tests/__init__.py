"""Tests of the installed package against a real server: test/client/python.test.ts of the project runs them."""
