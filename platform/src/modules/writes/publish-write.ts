import { Scene } from '@busbar/contract/push'
import { encodeWriteResult } from '../../kernel/events/event-bodies.ts'
import { createUserEvents } from '../../kernel/events/user-events.ts'
import type { AccessPort } from '../access/index.ts'
import type { Db } from './writes-store.ts'

/** The result of a write, as `encodeWriteResult` takes it. */
type WriteResult = Parameters<typeof encodeWriteResult>[0]

export interface PublishWriteDeps {
  readonly access: Pick<AccessPort, 'on'>
}

/**
 * Publishes the end of a write to the writer and the machine's keys, whose pages show it in their log, in the
 * transaction that ends the write. Each gets a stored event: a page that was away meanwhile receives it when it comes
 * back.
 */
export async function publishWrite(
  { access }: PublishWriteDeps,
  trx: Db,
  result: WriteResult,
  { writerId, at }: { writerId: number | null; at: number },
): Promise<void> {
  const keys = await access.on(trx).listKeys(result.machineId, at)
  const userIds = new Set([...(writerId === null ? [] : [writerId]), ...keys.map(({ userId }) => userId)])
  const body = encodeWriteResult(result)
  const events = [...userIds].map((userId) => ({ userId, body }))
  await createUserEvents(trx, Scene.WRITE_RESULT, new Date(at), events)
}
