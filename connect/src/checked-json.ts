/** Checks of answers: a platform of another version, or something else at its address, may answer anything. */

export class ShapeError extends Error {}

/** @throws ShapeError */
export function readObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError('no object')
  return value as Record<string, unknown>
}

/** @throws ShapeError */
export function readList<T>(value: unknown, read: (item: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new ShapeError('no list')
  return value.map(read)
}

/** @throws ShapeError */
export function readText(value: unknown): string {
  if (typeof value !== 'string') throw new ShapeError('no text')
  return value
}

/** @throws ShapeError */
export function readNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError('no number')
  return value
}

/** @throws ShapeError */
export function readFlag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new ShapeError('no flag')
  return value
}

/** @throws ShapeError */
export function readOneOf<T extends string>(value: unknown, all: readonly T[]): T {
  const found = all.find((one) => one === value)
  if (found === undefined) throw new ShapeError('an unknown word')
  return found
}
