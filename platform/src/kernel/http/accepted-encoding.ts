/** The compressions of answers. */
export type Encoding = 'br' | 'gzip'

/** The best first. */
const encodings: readonly Encoding[] = ['br', 'gzip']

/** The best encoding that a caller's `accept-encoding` takes; undefined: the answer goes out as it is. */
export function chooseEncoding(header: string | string[] | undefined): Encoding | undefined {
  const accepted = new Map(
    String(header ?? '')
      .split(',')
      .map(readPart),
  )
  return encodings.find((name) => accepted.get(name) ?? accepted.get('*'))
}

function readPart(part: string): [name: string, isTaken: boolean] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
  return [name, !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))]
}
