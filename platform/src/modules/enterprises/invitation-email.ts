import type { enterprises as contract, Lang, Text } from '@busbar/contract'
import { readerOf } from '../../reader.ts'
import { logoAddress } from '../accounts/verification-codes/index.ts'
import type { Brand } from '../brands/index.ts'
import { formatEmail, type OutgoingMessage, plainName, type UnsubscribeUrlOf } from '../outgoing/index.ts'

/** The facts in an invitation to an enterprise. */
export interface InvitationFacts {
  readonly enterprise: string
  /** The name of the person who invites. */
  readonly inviter: string
  readonly role: contract.EnterpriseRole
}

const title: Text = { cn: '企业邀请', en: 'Invitation to an enterprise' }
const roles: Readonly<Record<contract.EnterpriseRole, Text>> = {
  owner: { cn: '所有者', en: 'an owner' },
  admin: { cn: '管理员', en: 'an administrator' },
  member: { cn: '成员', en: 'a member' },
}
const bodies: Readonly<Record<Lang, (facts: InvitationFacts) => readonly string[]>> = {
  cn: ({ enterprise, inviter, role }) => [
    `${inviter} 邀请您加入企业“${enterprise}”，角色：${roles[role].cn}。`,
    '请登录后在消息中心的收件箱中接受或拒绝。如不认识对方，请拒绝。',
  ],
  en: ({ enterprise, inviter, role }) => [
    `${inviter} invites you to join the enterprise “${enterprise}” as ${roles[role].en}.`,
    'Sign in and open the inbox in Messages to accept or decline. If you don’t know the sender, decline.',
  ],
}

/** The e-mail about an invitation, in the person's language. */
export function formatInvitation(
  facts: InvitationFacts,
  to: {
    readonly userId: number
    readonly email: string
    readonly lang: string
    readonly time_zone: string | null
  },
  from: {
    readonly brand: Brand
    readonly publicUrl: string | undefined
    readonly unsubscribeUrlOf: UnsubscribeUrlOf
  },
): OutgoingMessage {
  const { lang } = readerOf(to)
  const { brand } = from
  const brandName = brand.platformName[lang]
  const reader = { userId: to.userId, email: to.email }
  const unsubscribeUrl = from.unsubscribeUrlOf(brand, reader)
  return {
    kind: 'email',
    mail: 'invitation',
    to: reader,
    unsubscribeUrl,
    // Names that people chose stay out of the subject: it is read as the platform's own words.
    subject: lang === 'cn' ? `${brandName}：${title.cn}` : `${brandName}: ${title.en}`,
    brandId: brand.id,
    lang,
    ...formatEmail({
      lang,
      brandName,
      logoUrl: logoAddress(brand.logoUrl, from.publicUrl),
      accent: brand.accent,
      title: title[lang],
      paragraphs: bodies[lang]({
        ...facts,
        enterprise: plainName(facts.enterprise),
        inviter: plainName(facts.inviter),
      }),
      unsubscribeUrl,
    }),
  }
}
