import { isObject, type JsonObject, type Scalar } from '../json-payload.ts'
import { readTime } from '../read-time.ts'
import { SampleList } from '../sample-list.ts'
import { type Format, isBacklog, type Source } from './format.ts'

/** The labels of RFC 8428, 4.3. */
const labels: ReadonlySet<string> = new Set([
  'bn',
  'bt',
  'bu',
  'bv',
  'bs',
  'bver',
  'n',
  'u',
  'v',
  'vs',
  'vb',
  'vd',
  's',
  't',
  'ut',
])
/** Smaller times are relative to now (RFC 8428, 4.5.3). */
const relativeSecondsMax = 2 ** 28

/** Sensor Measurement Lists in JSON (RFC 8428): records that go on from the base values of those before. */
export const senml: Format = {
  name: 'SenML',
  claims: (json) =>
    Array.isArray(json) &&
    json.length > 0 &&
    json.every((record) => isObject(record) && Object.keys(record).every((label) => labels.has(label))) &&
    (typeof json[0].n === 'string' || typeof json[0].bn === 'string'),
  read(json, source) {
    const list = new SampleList()
    let base: JsonObject = {}
    for (const record of json as JsonObject[]) {
      base = { ...base, ...record }
      readRecord(list, record, base, source, (json as unknown[]).length > 1)
    }
    return list.toUplink()
  },
}

function readRecord(
  list: SampleList,
  record: JsonObject,
  base: JsonObject,
  { group, clock, now }: Source,
  isOfList: boolean,
): void {
  const name = `${base.bn ?? ''}${record.n ?? ''}`
  const seconds = numberOf(base.bt) + numberOf(record.t)
  const isRelative = Math.abs(seconds) < relativeSecondsMax
  const time = isRelative ? Math.floor(now + seconds * 1_000) : readTime(seconds, clock, now)
  const taken = { group, time: seconds === 0 ? undefined : time, late: isOfList && isBacklog(time, now) }
  const value = plainValue(record, base)
  if (value !== undefined) list.add(name, value, taken)
  if ('s' in record) list.add(`${name}.sum`, numberOf(base.bs) + numberOf(record.s), taken)
  if ('vd' in record) list.note(`not stored: the data of "${name.slice(0, 80)}"`)
  if ('u' in record || 'bu' in record) list.note('units are not read')
}

function plainValue({ v, vs, vb }: JsonObject, base: JsonObject): Scalar | undefined {
  if (typeof v === 'number') return numberOf(base.bv) + v
  return typeof vs === 'string' || typeof vb === 'boolean' ? ((vs ?? vb) as Scalar) : undefined
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
