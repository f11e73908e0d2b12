"""Geocoding of places offline: forward, reverse, autocomplete, and batches over Arrow columns.

One class, `Geocoder`. `toponym.reverse_geocoder` is a drop-in for the package reverse_geocoder.
"""

from importlib.metadata import version

from toponym._native import Answers, Geocoder

__all__ = ["Answers", "Geocoder"]
__version__ = version("toponym")
