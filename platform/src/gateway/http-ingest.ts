import { plainTopic } from '@busbar/link'
import type { IngestRefusal, IngestReport } from '../http/ingest-route.ts'
import {
  AppendReport,
  RecordsRefused,
  type RefusedTags,
  StoreFailed,
  type Telemetry,
  TelemetryBusy,
  TelemetryStopped,
} from '../modules/telemetry/index.ts'
import { readTelemetry } from './adapters/read-message.ts'
import type { HttpPresence } from './http-presence.ts'
import { parseBasic } from './login.ts'
import type { LoginDoor } from './login-door.ts'
import type { MachineClocks } from './machine-clocks.ts'
import type { IngestCounters } from './machine-session.ts'
import type { RawLog } from './raw-log.ts'
import { countValues, type ValuePaces } from './value-pace.ts'

const retryS = 1

/**
 * `POST /api/v1/ingest`: the JSON of `v1/devices/me/telemetry` with a machine's code and secret as Basic authentication,
 * which is checked before the body is read. Answers after the commit; a success only where something was stored.
 */
export async function ingestHttp(
  deps: {
    readonly telemetry: Telemetry
    readonly logins: LoginDoor
    readonly presence: HttpPresence
    readonly rawLog: RawLog
    readonly clocks: MachineClocks
    readonly counters: IngestCounters
    readonly paces: ValuePaces
    now(): number
  },
  authorization: string | undefined,
  readBody: () => Promise<Buffer | undefined>,
  address: string,
): Promise<IngestReport | IngestRefusal> {
  const basic = parseBasic(authorization)
  if (!basic) return { code: '113' }
  const login = await deps.logins.check({ ...basic, address })
  if ('retryIn' in login) return { code: '429', retryIn: login.retryIn }
  if (!('machineId' in login)) return { code: '113' }
  const body = await readBody()
  if (!body) return { code: '413' }
  // Judged where the values are counted, without a wait between: parallel posts would all find room.
  const pace = deps.paces.of(login.machineId)
  const waitMs = pace.waitMs()
  if (waitMs > 0) return { code: '429', retryIn: Math.ceil(waitMs / 1000) }
  const now = deps.now()
  deps.counters.messages++
  deps.counters.bytes += body.length
  deps.presence.seen(login.machineId, address, now)
  const { machineId } = login
  const { uplink, adapter } = readTelemetry(body, login, now)
  pace.take(countValues(uplink.records))
  if (uplink.clockAt !== undefined) deps.clocks.of(machineId).see(uplink.clockAt, now)
  const message = { machineId, at: now, topic: plainTopic.telemetry, payload: body, adapter, uplink }
  const report = new AppendReport()
  const keepRaw = (outcome: RefusedTags | RecordsRefused | undefined) =>
    deps.rawLog.keep({ ...message, outcome, notes: report.notes })
  const problems = uplink.verdict === undefined ? [] : [uplink.detail ?? uplink.verdict]
  if (uplink.records.length === 0) {
    keepRaw(undefined)
    if (uplink.verdict === 'tooLarge') return { code: '413' }
    return { code: '400', report: { stored: 0, refused: problems } }
  }
  try {
    const refused = await deps.telemetry.append(machineId, uplink.records, report)
    keepRaw(refused)
    const told = {
      stored: report.stored,
      refused: [...problems, ...refused],
      ...(report.notes.length > 0 ? { notes: [...report.notes] } : {}),
    }
    return report.stored > 0 ? told : { code: '400', report: told }
  } catch (error) {
    if (error instanceof TelemetryBusy) return { code: '429', retryIn: retryS }
    if (error instanceof StoreFailed || error instanceof TelemetryStopped)
      return { code: '503', retryIn: retryS }
    if (!(error instanceof RecordsRefused)) throw error
    keepRaw(error)
    return { code: '400', report: { stored: 0, refused: [...problems, error.message] } }
  }
}
