import { LinkError } from './link-error.ts'
import { type PortWrite, portLimits } from './ports.ts'

/** A place, a value or a name of an agent's file: the agent cuts longer ones. */
const lettersMax = 200
const unitMax = 255
/** A visit lasts 8 hours. */
const agoMsMax = 86_400_000

/**
 * The body of a frame of writes.
 * @throws LinkError for anything else
 */
export function parsePortWrites(body: Buffer): PortWrite[] {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    value = undefined
  }
  if (!Array.isArray(value) || value.length > portLimits.writtenPlacesMax || !value.every(isPortWrite))
    throw new LinkError('malformed', 'a stream to a port carries wrong writes')
  return value
}

/** Lists that fit into a frame each. */
export function splitPortWrites(writes: readonly PortWrite[]): PortWrite[][] {
  const lists: PortWrite[][] = []
  let bytesLeft = 0
  for (const write of writes) {
    // With the comma before it; the first has the brackets.
    const bytes = Buffer.byteLength(JSON.stringify(write)) + 2
    if (bytes > bytesLeft) {
      lists.push([])
      bytesLeft = portLimits.frameBytesMax
    }
    lists.at(-1)?.push(write)
    bytesLeft -= bytes
  }
  return lists
}

function isPortWrite(value: unknown): value is PortWrite {
  if (typeof value !== 'object' || value === null) return false
  const { unit, place, from, to, firstAgoMs, lastAgoMs, tag } = value as Partial<
    Record<keyof PortWrite, unknown>
  >
  return (
    (unit === null || isCount(unit, unitMax)) &&
    isText(place) &&
    (from === null || isText(from)) &&
    isText(to) &&
    isCount(firstAgoMs, agoMsMax) &&
    isCount(lastAgoMs, agoMsMax) &&
    (tag === null || isTag(tag))
  )
}

function isTag(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { group, name } = value as { group?: unknown; name?: unknown }
  return isText(group) && isText(name)
}

/** No database keeps a NUL. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= lettersMax && !value.includes('\0')

const isCount = (value: unknown, most: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most
