import { createHash } from 'node:crypto'
import type { AppliedMigration } from './migrate.ts'

/*
 * A backup is a zstd stream of records: kind (1 byte), length (4 bytes, big-endian), payload.
 *
 *   begin                     what the backup is of: version, partitions, sequences
 *   table, data…, table end   one table's rows as COPY's text form, cut anywhere; its end counts them
 *   end                       the sum of everything before it; without it the file is cut off
 */

export const formatVersion = 1

const kinds = { begin: 'B', table: 'T', data: 'D', tableEnd: 'R', end: 'E' } as const
const headBytes = 5
/** A longer record is damage: data is written in blocks of 64 kB or single long rows cut to 1 MB, the rest is lists. */
const recordBytesMax = 64 * 1024 * 1024
const dataBytesMax = 1024 * 1024

/** A partition that did not come from a migration, or may not have. Parents come before their children. */
export interface BackupPartition {
  name: string
  parent: string
  /** `FOR VALUES FROM … TO …` or `DEFAULT`. */
  bound: string
  /** `RANGE (at)` when it is partitioned itself. */
  key: string | null
  /** Storage parameters, `fillfactor=90`. */
  options: string[]
}

export interface BackupBegin {
  format: number
  createdAt: string
  postgres: string
  migrations: AppliedMigration[]
  partitions: BackupPartition[]
  sequences: { name: string; value: string }[]
}

export type BackupRecord =
  | ({ kind: 'begin' } & BackupBegin)
  | { kind: 'table'; name: string; columns: string[] }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'tableEnd'; rows: number }
  | { kind: 'end'; tables: number; rows: number; sha256: string }

/** The file is not a result of `backup`. */
export class DamagedBackup extends Error {}

/** Encodes records and adds them up; `end` closes the sum. */
export class BackupEncoder {
  readonly #sum = createHash('sha256')

  end(tables: number, rows: number): Buffer {
    return frame('end', encodeJson({ tables, rows, sha256: this.#sum.digest('hex') }))
  }

  *encode(record: Exclude<BackupRecord, { kind: 'end' }>): Generator<Buffer> {
    if (record.kind !== 'data') {
      yield this.#add(frame(record.kind, encodeJson(record)))
      return
    }
    for (let at = 0; at < record.bytes.length; at += dataBytesMax) {
      yield this.#add(frame('data', record.bytes.subarray(at, at + dataBytesMax)))
    }
  }

  #add(bytes: Buffer): Buffer {
    this.#sum.update(bytes)
    return bytes
  }
}

/** Decodes a stream of bytes cut anywhere and checks the sum at its end. @throws DamagedBackup */
export async function* decodeRecords(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  const sum = createHash('sha256')
  let waiting: Buffer = Buffer.alloc(0)
  let ended = false
  for await (const chunk of source) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
    for (;;) {
      if (waiting.length < headBytes) break
      const length = waiting.readUInt32BE(1)
      if (length > recordBytesMax || ended) throw new DamagedBackup('it holds something that is no record')
      const size = headBytes + length
      if (waiting.length < size) break
      const record = decodeRecord(String.fromCharCode(waiting[0] ?? 0), waiting.subarray(headBytes, size))
      if (record.kind === 'end') {
        ended = true
        if (record.sha256 !== sum.digest('hex')) throw new DamagedBackup('its sum is wrong')
      } else {
        sum.update(waiting.subarray(0, size))
      }
      waiting = waiting.subarray(size)
      yield record
    }
  }
  if (!ended || waiting.length > 0) throw new DamagedBackup('it is cut off')
}

function frame(kind: keyof typeof kinds, payload: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.write(kinds[kind], 'latin1')
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

function encodeJson(value: object): Buffer {
  return Buffer.from(JSON.stringify({ ...value, kind: undefined }))
}

function decodeRecord(letter: string, payload: Buffer): BackupRecord {
  const kind = (Object.keys(kinds) as (keyof typeof kinds)[]).find((name) => kinds[name] === letter)
  if (!kind) throw new DamagedBackup('it holds a record of an unknown kind')
  if (kind === 'data') return { kind, bytes: payload }
  try {
    return { kind, ...(JSON.parse(payload.toString()) as object) } as BackupRecord
  } catch {
    throw new DamagedBackup('it holds a record that cannot be read')
  }
}
