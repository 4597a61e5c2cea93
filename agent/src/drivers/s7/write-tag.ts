import type { TextEncoding } from '@busbar/link'
import type { TagValue } from '../../tag.ts'
import { ValueMisfit } from '../value-misfit.ts'
import type { S7Address } from './address.ts'
import { S7Refusal } from './reasons.ts'
import type { S7Line } from './s7-line.ts'
import { encodeValue } from './values.ts'

/** Writes a raw value. Rejects with `S7Refusal`, `ValueMisfit`, or the error that broke the line. */
export async function writeTag(
  line: S7Line,
  { address }: { address: S7Address },
  raw: TagValue,
  encoding: TextEncoding,
): Promise<void> {
  const { area, db, bit, format } = address
  const data = encodeValue(raw, format, encoding)
  let { start } = address
  if (format.type === 'STRING' || format.type === 'WSTRING') {
    const roomBytes = format.type === 'STRING' ? 1 : 2
    await checkRoom(line, address, roomBytes, data.readUIntBE(0, roomBytes))
    start += roomBytes
  }
  await line.write({ area, db, start, bit, data })
}

/** A text is preceded by its maximum length; a longer one would overwrite the bytes behind it. */
async function checkRoom(line: S7Line, address: S7Address, bytes: number, characters: number): Promise<void> {
  const { area, db, start } = address
  const item = { index: 0, area, db, start, count: bytes }
  const [room] = await line.read([{ ...item, items: [item] }])
  if (room instanceof S7Refusal) throw room
  const most = room?.readUIntBE(0, bytes) ?? 0
  const { type } = address.format
  if (most === 0) throw new ValueMisfit(`no ${type} stands there: it would have room for no characters`)
  if (characters > most)
    throw new ValueMisfit(`the text has ${characters} characters, the ${type} room for ${most}`)
}
