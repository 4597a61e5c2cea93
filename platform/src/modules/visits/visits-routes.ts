import { type AnswerOf, visits as contract, type InputOf } from '@busbar/contract'
import { portHints } from '@busbar/link'
import type { Kysely } from 'kysely'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type Binding, bind, type ContextOf, type SignedIn } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { AccessPort } from '../access/index.ts'
import { removeFrom } from './console-id.ts'
import type { ControllerService } from './controller-service.ts'
import { findController } from './controller-store.ts'
import type { LiveVisits } from './live-visits.ts'
import { returnPath } from './return-path.ts'
import { pingMachine } from './targets.ts'
import type { VisitAddress } from './visit-address.ts'
import type { PortVisits, VisitCaller } from './visit-port.ts'
import { listVisits } from './visits-list-store.ts'
import { entryOf, type VisitsService } from './visits-service.ts'
import { findMachineCode, findVisit } from './visits-store.ts'
import { presentController, presentVisit } from './visits-views.ts'

export interface VisitsRoutesDeps {
  readonly db: Kysely<DB>
  readonly access: AccessPort
  readonly address: Pick<VisitAddress, 'offersVisits' | 'entryUrl' | 'parseHost' | 'portsUrl'>
  readonly link: Pick<EdgeLink, 'tunnel'>
  readonly live: LiveVisits
  readonly service: VisitsService
  readonly tickets: Pick<PortVisits, 'createTicket'>
  readonly enterByTicket: EnterByTicket
  readonly control: ControllerService
}

const forever = -1

/** Gives the visit for a ticket of the machine's password. Throws for a ticket that is invalid or gives no right. */
export type EnterByTicket = (
  caller: VisitCaller,
  request: { readonly machineId: number; readonly ticket: string; readonly mode: contract.VisitMode },
) => Promise<void>

/** Answers a call that enters a machine, by whichever address it was asked. */
export type OpenVisitCall = (
  input: InputOf<typeof contract.openVisit>,
  context: ContextOf<typeof contract.openVisit>,
) => Promise<AnswerOf<typeof contract.openVisit>>

export function createOpenVisit(
  deps: Pick<VisitsRoutesDeps, 'db' | 'address' | 'service' | 'enterByTicket'>,
): OpenVisitCall {
  const { db, address, service, enterByTicket } = deps
  return async ({ machineID, target, ticket, mode, path: wished }, context) => {
    if (!address.offersVisits(context.host)) throw new Failure('VISITS_OFF')
    const { user, now } = context
    const caller = { ...user, address: context.address, now }
    const path = removeFrom(returnPath(wished))
    if (ticket !== undefined) await enterByTicket(caller, { machineId: machineID, ticket, mode })
    const visit = await service.open(entryOf(caller), machineID, target, path)
    const code = await findMachineCode(db, machineID)
    if (!code) throw new Failure('GENERAL_USER')
    return {
      url: address.entryUrl({ code, target, path }, context.host),
      testUrl: address.entryUrl({ code, target }, context.host),
      expireAt: visit.until,
      mode: visit.mode,
      sessionId: visit.visitId,
      controller: presentController(await findController(db, machineID, new Date(now)), user.userId),
    }
  }
}

/** Entering machines, the people inside, and the controller. */
export function visitsRoutes(deps: VisitsRoutesDeps): Binding[] {
  const { db, access, address, link, live, service, tickets, control } = deps
  /** A program reaches the visits of its own session, whatever its person may. Throws 404. */
  const requireOwn = async (user: SignedIn, visitId: number, now: number): Promise<void> => {
    if (user.program === undefined) return
    const visit = await findVisit(db, visitId, new Date(now))
    if (visit?.session_id !== user.sessionId) throw new Failure('404')
  }

  async function controllerOf(machineId: number, userId: number, now: number): Promise<contract.Controller> {
    return presentController(await findController(db, machineId, new Date(now)), userId)
  }

  return [
    bind(contract.checkVisit, async ({ machineID, limitAuthority, visitAlidTimeID }, { user, now }) => {
      const said = {
        level: limitAuthority,
        grantId: visitAlidTimeID === undefined || visitAlidTimeID <= 0 ? undefined : visitAlidTimeID,
      }
      const { right, online } = await service.check(user.userId, machineID, said, now)
      return {
        cloudService: true,
        online,
        role: right.level,
        mode: right.readOnly ? ('ro' as const) : ('rw' as const),
        visitTime: right.endsAt ?? forever,
        next: 'open' as const,
      }
    }),

    bind(contract.openVisit, createOpenVisit(deps)),

    bind(contract.listTargets, async ({ machineId }) => ({
      targets: (await service.listTargets(machineId)).map(({ name, readOnly }) => ({ name, readOnly })),
    })),

    bind(contract.listPorts, async ({ machineId }, { user, now, lang }) => ({
      ports: (await service.listPorts(user.userId, machineId, now)).map((port) => ({
        ...port,
        hint: portHints[port.kind][lang],
      })),
    })),

    bind(contract.openPorts, async ({ machineID, mode }, context) => {
      const caller = { ...context.user, address: context.address, now: context.now }
      const visit = await service.openPorts(caller, machineID, mode)
      return {
        sessionId: visit.visitId,
        connectUrl: address.portsUrl(context.host),
        ticket: await tickets.createTicket(visit.visitId, mode, context.now),
        expireAt: visit.until,
        mode: visit.mode,
      }
    }),

    bind(contract.testVisitUrl, async ({ testUrl }, { user, now }) => {
      const offline = { state: 'offline' as const, rttMs: null }
      const code = address.parseHost(URL.parse(testUrl)?.host)?.code
      const machineId = code === undefined ? undefined : await access.machineOfCode(code)
      if (machineId === undefined || !(await access.has(user.userId, 'listed', [machineId], now)))
        return offline
      const tunnel = await link.tunnel(machineId)
      return pingMachine(tunnel).then(
        (rttMs) => ({ state: 'online' as const, rttMs }),
        () => offline,
      )
    }),

    bind(
      contract.listVisits,
      async ({ machineId, live: isLive, from, to, who, page, pageSize }, { user, now }) => {
        const seesAll = machineId !== undefined && (await access.has(user.userId, 'bkey+', [machineId], now))
        const which = {
          machineId,
          visitorId: seesAll ? undefined : user.userId,
          live: isLive,
          from: from === undefined ? undefined : new Date(from),
          to: to === undefined ? undefined : new Date(to),
          who,
        }
        const range = { from: (page - 1) * pageSize, count: pageSize }
        const { rows, total } = await listVisits(db, which, user.userId, range)
        return { list: rows.map((row) => presentVisit(row, user.userId, live)), total, page, pageSize }
      },
    ),

    bind(contract.endVisit, async ({ sessionId, reason }, { user, now }) => {
      await requireOwn(user, sessionId, now)
      await service.end(user.userId, sessionId, now, reason ?? '')
      return {}
    }),

    bind(contract.extendVisit, async ({ sessionId }, { user, now }) => {
      const { until, idleAt } = await service.extend(user.userId, sessionId, now)
      return { until, idleAt: idleAt || null }
    }),

    bind(contract.listControlTakers, async ({ sessionId }, { user, now }) => {
      await requireOwn(user, sessionId, now)
      const takers = await control.listTakers({ userId: user.userId, visitId: sessionId, now })
      return {
        takers: takers.map(({ id, user_id, name, asked_at }) => ({
          sessionId: id,
          user: { userId: user_id, name, me: user_id === user.userId },
          asks: asked_at !== null,
        })),
      }
    }),

    bind(contract.controlVisit, async ({ sessionId, action, to }, { user, now }) => {
      await requireOwn(user, sessionId, now)
      const request = { userId: user.userId, visitId: sessionId, now }
      let asked = false
      if (action === 'take') asked = await control.take(request)
      else if (action === 'release') await control.release(request)
      else if (action === 'keep') await control.keep(request)
      else await control.hand(request, to)
      const visit = await findVisit(db, sessionId, new Date(now))
      if (!visit) throw new Failure('404')
      return { controller: await controllerOf(visit.machine_id, user.userId, now), asked }
    }),
  ]
}
