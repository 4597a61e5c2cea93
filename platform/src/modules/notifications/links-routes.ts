import { alarmContacts as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import * as service from './links-service.ts'

/** Links of mails: they show without changing anything, and act after a click. They work without a session. */
export function linksRoutes(deps: service.LinksDeps): Binding[] {
  return [
    bind(contract.getAlarmLink, ({ token }, context) => service.showAlarm(deps, token, context)),
    bind(contract.confirmAlarmLink, async ({ token }, { now }) => ({
      confirmed: await service.confirmByLink(deps, token, now),
    })),
    bind(contract.getContactRequest, ({ token }, { now }) => service.showContactRequest(deps, token, now)),
    bind(contract.confirmContact, async ({ token }, { now }) => {
      await service.confirmContact(deps, token, now)
      return {}
    }),
    bind(contract.getUnsubscribe, ({ token }, { lang }) => service.showUnsubscribe(deps, token, lang)),
    bind(contract.unsubscribe, async ({ token }, { now }) => {
      await service.unsubscribe(deps, token, now)
      return {}
    }),
  ]
}
