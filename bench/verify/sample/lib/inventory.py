"""Stock of a small shop: items, reservations and what has to be ordered."""
from dataclasses import dataclass, field
from datetime import date


@dataclass
class Item:
    name: str
    quantity: int
    reserved: int = 0
    tags: list = field(default_factory=list)

    def available(self):
        return self.quantity - self.reserved

    def reserve(self, amount):
        if amount > self.available():
            raise ValueError(f"only {self.available()} of {self.name} left")
        self.reserved += amount


class Inventory:
    def __init__(self, items):
        self._items = {item.name: item for item in items}
        self._log = []

    def find_item(self, name):
        try:
            return self._items[name]
        except KeyError:
            return None

    def reserve_all(self, order):
        for name, amount in order.items():
            item = self.find_item(name)
            if item is None:
                raise LookupError("unknown item: " + name)
            item.reserve(amount)
            self._log.append((date.today(), name, amount))

    def items_below(self, threshold):
        return [item for item in self._items.values() if item.available() < threshold]


def total_quantity(inventory):
    return sum(item.quantity for item in inventory._items.values())
