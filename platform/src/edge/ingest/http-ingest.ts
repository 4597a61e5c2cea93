import { plainTopic } from '@busbar/link'
import { parseBasic } from '../../kernel/http/basic.ts'
import type { IngestRefusal, IngestReport } from '../../kernel/http/ingest-route.ts'
import {
  AppendReport,
  RecordsRefused,
  type RefusedTags,
  StoreFailed,
  type Telemetry,
  TelemetryBusy,
  TelemetryStopped,
} from '../../modules/telemetry/index.ts'
import type { LoginGuard } from '../login/login-guard.ts'
import type { HttpPresence } from '../presence/http-presence.ts'
import { readTelemetry } from './adapters/read-message.ts'
import { repeatedUplink, saysRepeated } from './adapters/uplink.ts'
import { digestOf, isStamped, type KnownId, type KnownMessages, type Sent } from './known-messages.ts'
import type { MachineClocks } from './machine-clocks.ts'
import type { IngestCounters } from './machine-session.ts'
import type { RawLog } from './raw-log.ts'
import { costOf, countValues, type ValuePaces } from './value-pace.ts'

const retryS = 1
/** HTTP does not mark repeated messages. */
const sentByHttp: Sent = { qos: 1, packetId: 0, isDup: false }

/**
 * `POST /api/v1/ingest`: the JSON of `v1/devices/me/telemetry` with a machine's code and secret as Basic authentication,
 * which is checked before the body is read. Answers after the commit; a success only where something was stored, by this
 * request or by an earlier one with the same message (rules/wire.md: http ingest).
 */
export async function ingestHttp(
  deps: {
    readonly telemetry: Telemetry
    readonly logins: LoginGuard
    readonly presence: HttpPresence
    readonly rawLog: RawLog
    readonly clocks: MachineClocks
    readonly counters: IngestCounters
    readonly paces: ValuePaces
    readonly known: KnownMessages
    now(): number
  },
  authorization: string | undefined,
  readBody: () => Promise<Buffer | undefined>,
  address: string,
): Promise<IngestReport | IngestRefusal> {
  const basic = parseBasic(authorization)
  if (!basic) return { code: '113' }
  const login = await deps.logins.check({ code: basic.name, secret: basic.secret, address })
  if ('retryIn' in login) return { code: '429', retryIn: login.retryIn }
  if (!('machineId' in login)) return { code: '113' }
  const body = await readBody()
  if (!body) return { code: '413' }
  // Checked and counted without a wait between: otherwise parallel posts would all pass.
  const pace = deps.paces.of(login.machineId)
  const waitMs = pace.waitMs()
  if (waitMs > 0) return { code: '429', retryIn: Math.ceil(waitMs / 1000) }
  const now = deps.now()
  deps.counters.messages++
  deps.counters.bytes += body.length
  deps.presence.seen(login.machineId, address, now)
  const { machineId } = login
  const read = readTelemetry(body, login, now)
  const { uplink, adapter } = read
  const cost = costOf(uplink.records)
  pace.take(cost)
  if (uplink.clockAt !== undefined) deps.clocks.of(machineId).see(uplink.clockAt, now)
  const message = { machineId, at: now, topic: plainTopic.telemetry, payload: body, adapter, uplink }
  const report = new AppendReport(uplink.notes)
  const keepRaw = (outcome: RefusedTags | RecordsRefused | undefined) =>
    deps.rawLog.keep({ ...message, uplink: saysRepeated(read, report).uplink, outcome, notes: report.notes })
  const problems = uplink.verdict === undefined ? [] : [uplink.detail ?? uplink.verdict]
  if (uplink.records.length === 0) {
    keepRaw(undefined)
    if (uplink.verdict === 'tooLarge') return { code: '413' }
    return { code: '400', report: { stored: 0, refused: problems } }
  }
  let known: KnownId | undefined
  if (isStamped(uplink.records, now)) {
    const source = {}
    const said = { machineId, topic: plainTopic.telemetry, digest: digestOf(body) }
    for (;;) {
      const first = deps.known.find(said, sentByHttp, source)
      if (!first) break
      // Another request may have taken the place of one that was not stored.
      if (!(await first.settled())) continue
      deps.rawLog.keep({ ...message, uplink: repeatedUplink, outcome: undefined })
      return { stored: 0, repeated: first.values, refused: [] }
    }
    const values = countValues(uplink.records)
    known = deps.known.add(said, { packetId: 0, source, isStamped: true, values, cost, adapter })
  }
  const settle = (isStored: boolean) => {
    if (known !== undefined) deps.known.settle(known, isStored)
  }
  try {
    const refused = await deps.telemetry.append(machineId, uplink.records, report)
    settle(report.isKnownOf(uplink.records, refused))
    keepRaw(refused)
    const told = {
      stored: report.stored,
      ...(report.repeated > 0 ? { repeated: report.repeated } : {}),
      refused: [...problems, ...refused],
      ...(report.notes.length > 0 ? { notes: [...report.notes] } : {}),
    }
    return report.stored > 0 || report.repeated > 0 ? told : { code: '400', report: told }
  } catch (error) {
    settle(false)
    if (error instanceof TelemetryBusy) return { code: '429', retryIn: retryS }
    if (error instanceof StoreFailed || error instanceof TelemetryStopped)
      return { code: '503', retryIn: retryS }
    if (!(error instanceof RecordsRefused)) throw error
    keepRaw(error)
    return { code: '400', report: { stored: 0, refused: [...problems, error.message] } }
  }
}
