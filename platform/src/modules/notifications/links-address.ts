import { alarmContacts } from '@busbar/contract'

const { linkPages } = alarmContacts

/** The page on which a contact confirms the address. */
export const confirmContactUrl = (origin: string, token: string): string =>
  `${origin}${linkPages.confirmContact}${token}`

/** The page that shows an alarm, with a button that confirms it. */
export const alarmLinkUrl = (origin: string, token: string): string => `${origin}${linkPages.alarm}${token}`
