import type { AnswerOf, destinations as contract } from '@busbar/contract'
import type { Kernel } from '../../kernel/kernel.ts'
import type { ProjectStreams, StreamRow } from '../project-stream/index.ts'
import type { Links } from '../projects/index.ts'
import { bodyBytesMax } from './batch.ts'
import { type LaneSettings, listZones } from './lanes-store.ts'
import { formatRow } from './row-forms.ts'
import { type OpenTransport, sendAlone } from './transports.ts'

/** The newest rows of which one is sent. */
const newestRows = 200

export interface TestDeps extends Pick<Kernel, 'db'> {
  readonly openTransport: OpenTransport
  readonly streams: Pick<ProjectStreams, 'heads' | 'read'>
  readonly links: Pick<Links, 'stateOf' | 'isTrusted'>
}

/** Sends the newest row of a project to a destination, or one that is made up, and tells all about it. */
export async function testCall(
  deps: TestDeps,
  settings: LaneSettings,
  now: number,
): Promise<AnswerOf<typeof contract.testDestination>> {
  const row = await findNewest(deps, settings.projectId)
  const zones = row?.machineId ? await listZones(deps.db, [row.machineId]) : undefined
  const zone = zones?.get(row?.machineId ?? 0) ?? 'UTC'
  const sent = row ?? exampleRow(now)
  const text = formatRow(sent, settings.format, zone)
  const attempt = await sendAlone(deps.openTransport, 'test', settings, {
    id: `${settings.destinationId}-test-${now}`,
    rows: [{ text: sent.text, linkId: sent.linkId, sent: text }],
    now,
    isAlone: true,
  })
  const { end, ms, connection, error } = attempt
  return {
    ok: end.fault === null,
    isExample: row === undefined,
    request: attempt.showRequest(),
    response: attempt.showAnswer(),
    ...{ status: end.status, fault: end.fault, ms },
    detail: attempt.detail,
    address: connection?.address ?? error?.address ?? null,
    certificate: connection?.certificate ?? error?.certificate ?? null,
    lookupMs: rounded(connection?.lookupMs),
    connectMs: rounded(connection?.connectMs),
    tlsMs: rounded(connection?.tlsMs),
    signInMs: rounded(attempt.signInMs),
    answerMs: rounded(attempt.answerMs),
  }
}

const rounded = (ms: number | undefined): number | null => (ms === undefined ? null : Math.round(ms))

/** The newest row that a machine of the project told, if it may still go out. */
async function findNewest(
  { streams, links }: Pick<TestDeps, 'streams' | 'links'>,
  projectId: number,
): Promise<StreamRow | undefined> {
  const { nextNo = 1 } = (await streams.heads([projectId])).get(projectId) ?? {}
  const rows = await streams.read(projectId, Math.max(0, nextNo - 1 - newestRows), {
    maxRows: newestRows,
    maxBytes: bodyBytesMax,
  })
  if (!links.isTrusted()) return undefined
  return rows.findLast(
    ({ kind, linkId }) => kind === 'row' && linkId !== null && links.stateOf(linkId) === 'active',
  )
}

/** A row that no stream has. */
const exampleRow = (now: number): StreamRow => ({
  ...{ no: 0, id: 'example', linkId: null, machineId: null, kind: 'row', time: now, late: false },
  text: `"machineCode":"EXAMPLE","machineName":"Example","group":"line","time":${now},"receivedAt":${now},"values":{"temperature":21.5,"running":true}}`,
})
