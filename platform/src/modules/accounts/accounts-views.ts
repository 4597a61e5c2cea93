import type { AnswerOf, accounts as contract } from '@busbar/contract'
import type * as store from './accounts-store.ts'

type UserRow = Awaited<ReturnType<typeof store.findUser>>
type SessionRow = Awaited<ReturnType<typeof store.listSessions>>['rows'][number]

/** The signed-in person as they see themselves. */
export function presentUser(user: UserRow): AnswerOf<typeof contract.selectInfo> {
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
    lang: user.lang === 'en' ? 'en' : 'cn',
    isOperator: user.is_operator,
    twoFactor: false,
  }
}

/** One of a person's terminals; its name already says on which system it runs. */
export function presentTerminal(session: SessionRow, currentSessionId: number): contract.Terminal {
  return {
    id: session.id,
    type: session.terminal_type,
    name: session.terminal_name,
    ip: session.address,
    place: '',
    loginTime: session.created_at.getTime(),
    expiredTime: session.expires_at.getTime(),
    current: session.id === currentSessionId,
  }
}
