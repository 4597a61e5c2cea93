import { z } from 'zod'
import { id, nothing, shortText, terminalId, terminalType } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

/** Lifetime of a QR code, in ms (rules/accounts.md: qr sign-in). */
export const qrLoginMs = 120_000

/** The state of a QR code, in `qrLoginCheck` and scene 11. */
export const qrStates = { waiting: 0, scanned: 1, confirmed: 2, cancelled: 3, expired: 4 } as const
export type QrState = keyof typeof qrStates

/** Begins with `qr.`, which no session token and no push ticket does. */
const qrToken = z.string().regex(/^qr\.[A-Za-z0-9_-]{43}$/, { message: 'qrToken' })

export const createQrToken = route({
  method: 'POST',
  path: '/api/user/getQrToken',
  who: 'public',
  limits: ['signInCodes'],
  title: { cn: '获取登录二维码', en: 'Get a sign-in QR code' },
  request: z.object({
    terminalUUID: terminalId,
    terminalName: shortText(0, limits.terminalNameMax).default('pc'),
    terminalOS: shortText(0, limits.terminalNameMax).optional(),
  }),
  answer: z.object({
    qrToken: z.string(),
    qrUrl: z
      .string()
      .describe(
        'The address in the QR code: a phone that is signed in opens it. A path of the asking page’s own host where PUBLIC_URL isn’t set',
      ),
    expireIn: z.int().describe('Seconds'),
  }),
  errors: [],
})

export const checkQrLogin = route({
  method: 'POST',
  path: '/api/user/qrLoginCheck',
  who: 'public',
  limits: ['qrChecks'],
  title: { cn: '查询扫码状态', en: 'Get the state of a QR code' },
  request: z.object({ qrToken, terminalUUID: terminalId, terminalType: terminalType.optional() }),
  answer: z.object({
    state: z.int().describe('0 waiting, 1 scanned, 2 confirmed, 3 cancelled, 4 expired'),
    name: z.string().optional().describe('The person who scanned it'),
    token: z.string().optional(),
    userid: id.optional(),
  }),
  errors: [],
})

export const scanQrLogin = route({
  method: 'POST',
  path: '/api/user/v1/qrLogin/scan',
  who: 'user',
  limits: ['asks'],
  title: { cn: '扫描登录二维码', en: 'Scan a QR code' },
  request: z.object({ qrToken }),
  answer: z.object({
    brand: z.string(),
    terminalName: z.string(),
    ip: z.string(),
    place: z.string().describe('Empty where the address has no known place'),
  }),
  errors: ['QR_OVER'],
})

export const confirmQrLogin = route({
  method: 'POST',
  path: '/api/user/v1/qrLogin/confirm',
  who: 'user',
  title: { cn: '确认扫码登录', en: 'Approve or decline a QR code sign-in' },
  request: z.object({ qrToken, ok: z.boolean() }),
  answer: nothing,
  errors: ['QR_OVER'],
})
