"""The installed package has its types and docstrings, and nothing of this folder."""

import importlib.metadata
import inspect
import os
import sys
import unittest

import backbook


class Package(unittest.TestCase):
    def test_the_installed_package_is_tested(self):
        self.assertTrue(backbook.__file__.startswith(sys.prefix), backbook.__file__)
        self.assertEqual(importlib.metadata.version("backbook"), backbook.__version__)
        needs = importlib.metadata.requires("backbook")
        self.assertEqual([need for need in needs if "extra" not in need], ["requests>=2.28"])
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(backbook.__file__), "py.typed")))

    def test_everything_public_is_documented_and_typed(self):
        for name in backbook.__all__:
            thing = getattr(backbook, name)
            self.assertTrue(thing.__doc__, name)
            for method, function in inspect.getmembers(thing, inspect.isfunction):
                if method.startswith("_") or not function.__module__.startswith("backbook"):
                    continue
                with self.subTest(method=f"{name}.{method}"):
                    annotated = set(function.__annotations__)
                    self.assertEqual(set(inspect.signature(function).parameters) - annotated - {"self"}, set())
                    self.assertIn("return", annotated)

    def test_each_method_of_the_client_has_a_docstring(self):
        methods = [method for name, method in inspect.getmembers(backbook.Client, inspect.isfunction) if name[0] != "_"]
        self.assertGreater(len(methods), 20)
        self.assertEqual([method.__name__ for method in methods if not method.__doc__], [])


if __name__ == "__main__":
    unittest.main()
