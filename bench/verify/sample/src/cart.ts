import { formatPrice } from "./money";

export interface CartLine {
  sku: string;
  count: number;
  unitPrice: number;
}

const maxLines = 50;

export class Cart {
  private lines: CartLine[] = [];

  addLine(line: CartLine): void {
    if (this.lines.length >= maxLines) {
      throw new RangeError(`a cart holds at most ${maxLines} lines`);
    }
    const known = this.lines.find((other) => other.sku === line.sku);
    if (known) known.count += line.count;
    else this.lines.push({ ...line });
  }

  removeLine(sku: string): boolean {
    const before = this.lines.length;
    this.lines = this.lines.filter((line) => line.sku !== sku);
    return this.lines.length < before;
  }

  totalPrice(): number {
    return this.lines.reduce((sum, line) => sum + line.count * line.unitPrice, 0);
  }

  describeCart(): string {
    const parts = this.lines.map((line) => `${line.count} x ${line.sku}`);
    return `${parts.join(", ")}: ${formatPrice(this.totalPrice())}`;
  }
}

export function mergeCarts(first: Cart, second: CartLine[]): Cart {
  for (const line of second) first.addLine(line);
  return first;
}
