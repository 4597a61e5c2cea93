import { type destinations as contract, projectLimits, type Text } from '@busbar/contract'
import { afterCommit } from '../../kernel/database/after-commit.ts'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { CallContext, SignedIn } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import {
  describeRefusal,
  type OutgoingCalls,
  OutgoingError,
  parseTypedAddress,
  refuseAddress,
} from '../../kernel/outgoing-http/index.ts'
import { auditAct } from '../audit/index.ts'
import type { ProjectStreams } from '../project-stream/index.ts'
import { detailOf, type SpaceIds, spaceOf } from '../spaces/index.ts'
import { findClash } from './broker-names.ts'
import { checkBroker, openBroker, sealBroker } from './broker-settings.ts'
import * as store from './destinations-store.ts'
import { newSecret } from './signature.ts'
import { secretOwner } from './webhook.ts'

/** The former secret of a destination is valid for this time beside the new one. */
const overlapMs = 24 * 3_600_000

type Context = CallContext & { readonly user: SignedIn }

/** The settings of a destination that people choose, with the number of its lanes. */
export interface DestinationSettings extends Omit<store.DestinationBody, 'mqtt'> {
  readonly lanes: number
  readonly mqtt?: contract.SentMqtt | undefined
}

export interface DestinationsService {
  create(
    projectId: number,
    settings: DestinationSettings,
    context: Context,
  ): Promise<{ readonly targetId: number; readonly secret: string | null }>
  update(
    id: number,
    settings: DestinationSettings,
    state: 'on' | 'off' | undefined,
    context: Context,
  ): Promise<void>
  remove(id: number, context: Context): Promise<void>
  resetSecret(id: number, context: Context): Promise<{ readonly secret: string }>
}

/** The acts of people on destinations (rules/projects.md: destinations). */
export function createDestinationsService(
  { db, bus, secrets, outgoingCalls }: Pick<Kernel, 'db' | 'bus' | 'secrets' | 'outgoingCalls'>,
  { streams }: { readonly streams: Pick<ProjectStreams, 'heads'> },
): DestinationsService {
  /** Gives a destination a new secret. */
  async function giveSecret(trx: Database, id: number, now: number): Promise<string> {
    const secret = newSecret()
    const sealed = secrets.seal(Buffer.from(secret), secretOwner(id))
    await store.insertSecret(trx, id, sealed, { at: new Date(now), formerEndsAt: new Date(now + overlapMs) })
    return secret
  }

  /** The settings as they are stored; for a broker with `keep`, which stores its secrets with the destination. */
  function withBroker(settings: DestinationSettings, kept?: Parameters<typeof checkBroker>[2]) {
    const { mqtt: sent, ...body } = settings
    if (!sent) return { body, keep: undefined }
    const { mqtt, secrets: own } = checkBroker(sent, settings, kept)
    const keep = (trx: Database, id: number) => store.setBrokerSecrets(trx, id, sealBroker(secrets, id, own))
    return { body: { ...body, mqtt }, keep }
  }

  /** Does an act on a destination, notes it in the audit log, and tells the senders. */
  async function act<T>(
    id: number,
    action: string,
    context: Context,
    work: (trx: Database, found: store.StoredDestination) => Promise<T>,
  ): Promise<T> {
    return withTransaction(db, async (trx) => {
      const found = await store.findDestination(trx, id)
      if (!found) throw new Failure('404')
      const answer = await work(trx, found)
      await audit(trx, action, id, found, context)
      afterCommit(trx, () => bus.publish('destinations', {}))
      return answer
    })
  }

  return {
    async create(projectId, settings, context) {
      const space = await store.findSpace(db, projectId)
      if (!space) throw new Failure('404')
      const { body, keep } = withBroker(await checkSettings(outgoingCalls, settings, space))
      const heads = await streams.heads([projectId])
      const afterNo = (heads.get(projectId)?.nextNo ?? 1) - 1
      return withTransaction(db, async (trx) => {
        await store.lockProject(trx, projectId)
        if ((await store.countDestinations(trx, projectId)) >= projectLimits.destinations)
          throw new Failure('DESTINATIONS_FULL')
        const at = new Date(context.now)
        const id = await store.insertDestination(trx, projectId, body, { lanes: body.lanes, afterNo, at })
        const secret = keep ? null : await giveSecret(trx, id, context.now)
        await keep?.(trx, id)
        if (keep) await refuseClash(trx, id, body.url, space)
        await audit(trx, 'create', id, { ...space, projectId, name: body.name }, context)
        afterCommit(trx, () => bus.publish('destinations', {}))
        return { targetId: id, secret }
      })
    },

    async update(id, settings, state, context) {
      const found = await store.findDestination(db, id)
      if (!found) throw new Failure('404')
      if (found.type !== settings.type) throw new Failure('DESTINATION_TYPE', { field: 'type' })
      const checked = await checkSettings(outgoingCalls, settings, found)
      await act(id, 'change', context, async (trx) => {
        const stored = await store.findBrokerSecrets(trx, id)
        const kept = stored && { url: stored.url, secrets: openBroker(secrets, id, stored.sealed) }
        const { body, keep } = withBroker(checked, kept)
        await keep?.(trx, id)
        await store.updateDestination(trx, id, body, state)
        await store.changeLanes(trx, id, body.lanes)
        // One that is turned off ends nobody's connection.
        if (keep && state !== 'off') await refuseClash(trx, id, body.url, found)
      })
    },

    remove: (id, context) => act(id, 'delete', context, (trx) => store.deleteDestination(trx, id)),

    resetSecret: (id, context) =>
      act(id, 'secret', context, async (trx, { type }) => {
        if (type !== 'webhook') throw new Failure('DESTINATION_TYPE')
        return { secret: await giveSecret(trx, id, context.now) }
      }),
  }
}

/** Refuses a broker at which another destination of the space has the same name. */
async function refuseClash(trx: Database, id: number, url: string, space: SpaceIds): Promise<void> {
  const brokers = await store.lockBrokers(trx, url, space)
  const own = brokers.find((each) => each.id === id)
  for (const other of brokers) {
    const clash = own && other !== own ? findClash(own, other) : undefined
    if (clash) throw new Failure('DESTINATION_TAKEN', { field: `mqtt.${clash}`, text: clashTexts[clash] })
  }
}

const clashTexts = {
  clientId: {
    cn: '同一空间中已有数据去向以该客户端 ID 登录此 Broker，请使用其他客户端 ID',
    en: 'Another destination of this space signs in to this broker with this client id: use another one',
  },
  edgeNode: {
    cn: '同一空间中已有数据去向是此 Broker 上该组的这个边缘节点，请使用其他边缘节点 ID',
    en: 'Another destination of this space is this edge node of the group at this broker: use another node id',
  },
} as const satisfies Readonly<Record<string, Text>>

function audit(
  trx: Database,
  action: string,
  id: number,
  of: SpaceIds & { readonly projectId: number; readonly name: string },
  context: Context,
): Promise<void> {
  return auditAct(trx, context, {
    action: `destination.${action}`,
    target: of.name,
    detail: { ...detailOf(spaceOf(of)), projectId: of.projectId, targetId: id },
  })
}

/** The settings with the one form of their address; it is looked up now, and checked again at each connection. */
async function checkSettings(
  outgoing: Pick<OutgoingCalls, 'check'>,
  settings: DestinationSettings,
  space: SpaceIds,
): Promise<DestinationSettings> {
  const { type, url } = settings
  const wrong = findWrong(settings)
  if (wrong) throw new Failure('400', { field: wrong })
  try {
    const to = parseTypedAddress(url, { protocols: [...protocols[type]] })
    if (type === 'mqtt' && to.path !== '/') throw refuseAddress('syntax')
    await outgoing.check(to, spaceOf(space))
    return { ...settings, url: type === 'mqtt' ? to.origin : to.href }
  } catch (error) {
    if (error instanceof OutgoingError) throw addressFailure(error, type)
    throw error
  }
}

const protocols = { webhook: ['https', 'http'], mqtt: ['mqtts', 'mqtt'] } as const

/** The setting that a destination of this type does not have. */
function findWrong({
  type,
  format,
  mqtt,
  ndjson,
  gzip,
  lanes,
  rows,
  events,
}: DestinationSettings): string | undefined {
  if ((type === 'mqtt') !== (mqtt !== undefined)) return 'mqtt'
  if (type === 'webhook') return format === 'sparkplug' ? 'format' : undefined
  const wrong = { ndjson, gzip, lanes: lanes !== 1, rows: !rows, events: events.length > 0 }
  return Object.entries(wrong).find(([, isWrong]) => isWrong)?.[0]
}

/** Names the address that the typed one became, and why that may not be called. */
function addressFailure({ code, problem, address }: OutgoingError, type: contract.DestinationType): Failure {
  if (problem === 'plain') return new Failure('DESTINATION_PLAIN', { field: 'url' })
  const text = describeRefusal({ problem, address }, 'DESTINATION_ADDRESS', protocols[type][0])
  return new Failure('DESTINATION_ADDRESS', {
    field: 'url',
    text,
    data: { problem: problem ?? code, address },
  })
}
