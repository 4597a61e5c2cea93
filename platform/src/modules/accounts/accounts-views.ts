import type { AnswerOf, accounts as contract, Lang } from '@busbar/contract'
import { readerOf } from '../../reader.ts'
import { findPlace } from '../geo-ip/index.ts'
import type { findUser } from './accounts-store.ts'
import type { OwnAuditRow } from './own-audit-store.ts'
import type { listSessions } from './sessions-store.ts'

type UserRow = Awaited<ReturnType<typeof findUser>>
type SessionRow = Awaited<ReturnType<typeof listSessions>>['rows'][number]

/** The signed-in person as they see themselves. */
export function presentUser(user: UserRow, twoFactor: boolean): AnswerOf<typeof contract.selectInfo> {
  return {
    userid: user.id,
    name: user.name,
    email: user.email ?? '',
    phone: user.phone ?? '',
    phone_state: user.phone_verified_at ? 1 : 0,
    email_state: user.email_verified_at ? 1 : 0,
    account: user.phone ? `+${user.country_code} ${user.phone}` : (user.email ?? ''),
    countryCode: user.country_code ?? '86',
    hide_map: user.hide_map,
    lang: readerOf(user).lang,
    timeZone: user.time_zone,
    isOperator: user.is_operator,
    twoFactor,
  }
}

/** One of a person's terminals; its name already contains its system. */
export function presentTerminal(
  session: SessionRow,
  to: { sessionId: number; lang: Lang },
): contract.Terminal {
  return {
    id: session.id,
    type: session.terminal_type,
    name: session.terminal_name,
    ip: session.address,
    place: findPlace(session.address, to.lang),
    loginTime: session.created_at.getTime(),
    expiredTime: session.expires_at.getTime(),
    current: session.id === to.sessionId,
  }
}

/** An entry of the audit log as the person sees it who did it, or whose account was tried. */
export function presentOwnAudit(
  row: OwnAuditRow,
  to: { id: number; name: string; lang: Lang },
): contract.OwnAuditEntry {
  const isOwn = row.actor_user_id === to.id
  // An operator's address is not shown; the address of a refused sign-in is.
  const address = isOwn || row.actor_user_id === null ? row.address : ''
  return {
    at: row.at.getTime(),
    actor: isOwn ? to.name : '',
    action: row.action,
    target: row.target,
    ip: address,
    place: findPlace(address, to.lang),
    terminal: address ? row.terminal : '',
    result: row.result === 'ok' ? 'ok' : 'refused',
  }
}
