import { z } from 'zod'
import { pictureUrl } from './brand-fields.ts'
import { id, instant, nothing, shortText, timeZone } from './fields.ts'
import { limits } from './limits.ts'
import { memberRights, route } from './route.ts'

export * from './enterprise-audit.ts'
export * from './enterprise-handovers.ts'
export * from './enterprise-leaving.ts'
export * from './enterprise-machines.ts'
export * from './enterprise-people.ts'
export * from './maintenance.ts'

/** The roles in an enterprise. */
export const enterpriseRoles = ['owner', 'admin', 'member'] as const
export type EnterpriseRole = (typeof enterpriseRoles)[number]

export const listUserEnterprises = route({
  method: 'POST',
  path: '/api/enterprises/userEnterpriseList',
  who: 'user',
  programs: ['connect'],
  title: { cn: '所属企业', en: 'List your enterprises' },
  request: nothing,
  answer: z.array(
    z.object({
      eid: id,
      name: z.string(),
      enableProject: z.boolean(),
      role: z.enum(enterpriseRoles),
    }),
  ),
  errors: [],
})

export const getEnterprise = route({
  method: 'GET',
  path: '/api/entportal/v1/enterprise/info',
  aliases: ['/entportal/v1/enterprise/info'],
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '企业信息', en: 'Get an enterprise' },
  request: z.object({ eid: id }),
  answer: z.object({
    eid: id,
    name: z.string(),
    enableProject: z.boolean(),
    platformName: z.string().describe('Empty: the brand’s'),
    applyLogoUrl: z.string().describe('Empty: the brand’s'),
    members: z.int(),
    machines: z.int().describe('Enterprise and maintenance devices'),
    created: instant,
    timeZone: z.string().describe('By IANA'),
    awayRules: z.boolean(),
  }),
  errors: [],
})

export const getEnterprisePermission = route({
  method: 'POST',
  path: '/api/enterprises/enterprisePermission',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '我在企业中的权限', en: 'Get your permissions in an enterprise' },
  request: z.object({ eid: id }),
  answer: z.object({
    isAdmin: z.boolean(),
    role: z.enum(enterpriseRoles),
    rights: z.array(z.enum(memberRights)).describe('All of them for owners and administrators'),
    teams: z.array(z.object({ id, name: z.string(), kind: z.enum(['manage', 'maintain']) })),
  }),
  errors: [],
})

export const createEnterprise = route({
  method: 'POST',
  path: '/api/enterprises/v1',
  who: 'user',
  title: { cn: '创建企业', en: 'Create an enterprise' },
  request: z.object({ name: shortText(1, limits.enterpriseNameMax) }),
  answer: z.object({ eid: id }),
  errors: ['ENTERPRISES_FULL', 'ENTERPRISES_BY_OPERATORS'],
})

export const updateEnterprise = route({
  method: 'PUT',
  path: '/api/enterprises/v1/:eid',
  who: { ent: 'admin', eid: 'eid' },
  title: { cn: '修改企业信息', en: 'Edit an enterprise' },
  request: z.object({
    eid: id,
    name: shortText(1, limits.enterpriseNameMax).optional(),
    platformName: shortText(0, limits.brandNameMax).optional(),
    applyLogoUrl: pictureUrl.optional(),
    awayRules: z.boolean().optional(),
  }),
  answer: nothing,
  errors: ['PICTURE_UNKNOWN'],
})

/** The zone of days, and of times in the enterprise's messages and e-mails. */
export const updateEnterpriseTimeZone = route({
  method: 'PUT',
  path: '/api/enterprises/v1/:eid/timeZone',
  who: { ent: 'manage', eid: 'eid' },
  title: { cn: '设置企业时区', en: 'Set an enterprise’s time zone' },
  request: z.object({ eid: id, timeZone: timeZone.describe('By IANA, such as Asia/Shanghai') }),
  answer: nothing,
  errors: [],
})
