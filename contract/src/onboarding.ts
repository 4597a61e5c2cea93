import { z } from 'zod'
import { eidOrPersonal, id, instant, machineCode, machineName, nothing } from './fields.ts'
import { route } from './route.ts'

/** The ways by which values of a machine come: our agent beside it, or the machine itself with one of these protocols. */
export const onboardingKinds = ['agent', 'mqtt', 'sparkplug', 'http'] as const
export type OnboardingKind = (typeof onboardingKinds)[number]

/** The systems that a setup script is written for. */
export const setupSystems = ['linux', 'windows', 'docker'] as const
export type SetupSystem = (typeof setupSystems)[number]

/** Minutes for which a setup link lives. */
export const setupLinkMinutes = 30

/** A link that was cut off when it was copied is answered by a script as well. */
const pastedToken = z.string().regex(/^[\w-]{1,64}$/, { message: 'token' })
const token = z.string().regex(/^[\w-]{43}$/, { message: 'token' })

/** One use, for a limited time; the machine's secret is fetched by it and is not in it. */
const setupLink = z.object({
  setupUrl: z.string(),
  expireAt: instant,
})
export type SetupLink = z.output<typeof setupLink>

/** Where a machine that has no agent sends its values. */
const addresses = z.object({
  host: z.string(),
  mqttPort: z.int().nullable(),
  mqttsPort: z.int().nullable(),
  webSocketUrl: z.string(),
  ingestUrl: z.string(),
})
export type MachineAddresses = z.output<typeof addresses>

/** How many machines the person or the enterprise may still register. */
export const getOnboarding = route({
  method: 'GET',
  path: '/api/v1/onboarding',
  who: 'user',
  title: { cn: '自助登记的额度', en: 'Get the limit of self-registered devices' },
  request: z.object({ eid: eidOrPersonal }),
  answer: z.object({ used: z.int(), max: z.int() }),
  errors: [],
})

/** Registers a machine of the caller, or of an enterprise in which they have `ent:manage`. */
export const connectMachine = route({
  method: 'POST',
  path: '/api/v1/onboarding',
  who: 'user',
  limits: ['onboardings'],
  title: { cn: '接入控制器', en: 'Connect a controller' },
  request: z.object({ name: machineName, kind: z.enum(onboardingKinds), eid: eidOrPersonal }),
  answer: z.object({
    machineId: id,
    machineCode,
    password: z.string(),
    secret: z.string().nullable(),
    link: setupLink.nullable(),
    addresses,
  }),
  errors: ['ONBOARDING_OFF', 'ONBOARDING_FULL', 'CODES_USED_UP', '04010115', '04010412'],
})

/** How far the setup of a self-registered machine has come. */
export const getSetup = route({
  method: 'GET',
  path: '/api/v1/onboarding/:machineId',
  who: { right: 'akey', orMember: 'manage', machine: 'machineId' },
  title: { cn: '接入进度', en: 'Get how far a setup has come' },
  request: z.object({ machineId: id }),
  answer: z.object({
    kind: z.enum(onboardingKinds),
    link: z
      .object({
        expireAt: instant,
        askedAt: instant.nullable(),
        acknowledgedAt: instant.nullable(),
      })
      .nullable(),
    connectedAt: instant.nullable(),
  }),
  errors: ['404'],
})

/**
 * Another link for a machine. The secret is renewed with it; where the machine has been connected before, this ends its
 * connection and takes a fresh proof of the caller's password, as `resetSecret` does.
 */
export const createSetupLink = route({
  method: 'POST',
  path: '/api/v1/onboarding/:machineId/link',
  who: { right: 'akey', orMember: 'manage', machine: 'machineId' },
  limits: ['onboardings'],
  title: { cn: '生成新的安装链接', en: 'Make another setup link' },
  request: z.object({ machineId: id }),
  answer: setupLink,
  errors: ['404', 'PROOF_NEEDED'],
})

/** Failures are scripts, too: whoever pipes it into a shell reads the reason. */
export const getSetupScript = route({
  method: 'GET',
  path: '/api/v1/setup/:token',
  who: 'public',
  bare: true,
  limits: [{ rate: 'setupLinks', countedBy: 'route' }],
  title: { cn: '安装脚本', en: 'Get the setup script' },
  request: z.object({ token: pastedToken, system: z.enum(setupSystems).default('linux') }),
  answer: z.string(),
  errors: [],
})

/** The agent fetches the machine's secret; the same again until it acknowledges. */
export const takeSetupSecret = route({
  method: 'POST',
  path: '/api/v1/setup/:token/secret',
  who: 'public',
  limits: ['setupLinks'],
  title: { cn: '领取设备密钥', en: 'Take the device secret by a setup link' },
  request: z.object({ token }),
  answer: z.object({
    machineCode,
    secret: z.string(),
    urls: z.object({
      web: z.string(),
      mqtt: z.string(),
      tunnel: z.string(),
    }),
    remote: z.enum(['off', 'drivers']),
    networks: z.array(z.string()),
  }),
  errors: ['SETUP_LINK_UNKNOWN', 'SETUP_LINK_OVER', 'SETUP_LINK_USED', 'SETUP_LINK_ELSEWHERE'],
})

/** The agent has stored the secret: the link is used, and the platform forgets the secret. */
export const acknowledgeSetup = route({
  method: 'POST',
  path: '/api/v1/setup/:token/done',
  who: 'public',
  limits: ['setupLinks'],
  title: { cn: '确认安装完成', en: 'Acknowledge a setup' },
  request: z.object({ token }),
  answer: nothing,
  errors: ['SETUP_LINK_UNKNOWN', 'SETUP_LINK_OVER', 'SETUP_LINK_ELSEWHERE'],
})
