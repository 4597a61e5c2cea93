/** UTF-16 units of a single message, and of each part of a longer one. */
const singleUnits = 70
const partUnits = 67
/** A header counts its parts in one byte. */
const partsMax = 255

/** The parts of a long text, split between characters. Throws beyond 255 parts. */
export function splitSms(text: string): string[] {
  if (text.length <= singleUnits) return [text]
  const parts: string[] = []
  let from = 0
  while (from < text.length) {
    let to = Math.min(from + partUnits, text.length)
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--
    parts.push(text.slice(from, to))
    from = to
  }
  if (parts.length > partsMax) throw new RangeError(`An SMS has at most ${partsMax} parts.`)
  return parts
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
