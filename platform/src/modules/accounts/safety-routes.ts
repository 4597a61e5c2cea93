import { accounts as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { auditAct } from '../audit/index.ts'
import { accountText } from './account-name.ts'
import * as service from './accounts-service.ts'
import * as store from './accounts-store.ts'
import { presentOwnAudit, presentTerminal } from './accounts-views.ts'
import { listOwnAudit } from './own-audit-store.ts'
import { listSessions, updateSessionExpiry } from './sessions-store.ts'
import type { SignInDeps } from './sign-in-service.ts'

/** A person's terminals, their sign-in settings, and the history of their account. */
export function safetyRoutes({ db }: Pick<SignInDeps, 'db'>): Binding[] {
  return [
    bind(contract.listTerminals, async ({ page, pageSize }, { user, lang, now }) => {
      const start = (page - 1) * pageSize
      const { rows, total } = await listSessions(db, user, new Date(now), start, pageSize)
      const list = rows.map((row) => presentTerminal(row, { sessionId: user.sessionId, lang }))
      return { list, total, page, pageSize }
    }),

    bind(contract.removeTerminal, async ({ id }, context) => {
      await service.endSession(db, context, id)
      return {}
    }),

    bind(contract.removeOtherTerminals, async (_, context) => ({
      removed: await service.endOtherSessions(db, context),
    })),

    bind(contract.updateSafety, async (chosen, context) => {
      const { userId } = context.user
      return db.transaction().execute(async (trx) => {
        await store.updateSafety(trx, userId, chosen)
        if (chosen.loginExpiryDays !== undefined)
          await updateSessionExpiry(trx, userId, chosen.loginExpiryDays, new Date(context.now))
        if (Object.values(chosen).some((value) => value !== undefined))
          await auditAct(trx, context, { action: 'user.safety.update', target: '', detail: chosen })
        const user = await store.findUser(trx, userId)
        return { loginExpiryDays: user.login_expiry_days, notifyNewTerminal: user.notify_new_terminal }
      })
    }),

    bind(contract.setHideMap, async ({ hideMap }, { user }) => {
      await store.updateHideMap(db, user.userId, hideMap)
      return {}
    }),

    bind(contract.updateLocale, async (chosen, { user }) => {
      await store.updateLocale(db, user.userId, chosen)
      return {}
    }),

    bind(contract.listOwnAudit, async ({ page, pageSize, from, to }, { user, lang }) => {
      const { name, email, phone, country_code: countryCode } = await store.findUser(db, user.userId)
      const accounts = [
        ...(email ? [email] : []),
        ...(phone && countryCode ? [accountText({ phone, countryCode })] : []),
      ]
      const { rows, total } = await listOwnAudit(
        db,
        { id: user.userId, accounts },
        {
          from: from === undefined ? undefined : new Date(from),
          to: to === undefined ? undefined : new Date(to),
        },
        (page - 1) * pageSize,
        pageSize,
      )
      return {
        list: rows.map((row) => presentOwnAudit(row, { id: user.userId, name, lang })),
        total,
        page,
        pageSize,
      }
    }),
  ]
}
