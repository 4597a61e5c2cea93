import { z } from 'zod'
import { nothing } from './fields.ts'
import { route } from './route.ts'

/** Six digits of an authenticator, or a recovery code with or without its dashes. */
const secondFactorCode = z.string().trim().min(4).max(32)

export const setUpSecondFactor = route({
  method: 'POST',
  path: '/api/user/v1/twoFactor/setup',
  who: 'user',
  title: { cn: '准备两步验证', en: 'Prepare two-factor authentication' },
  request: nothing,
  answer: z.object({
    otpauthUrl: z.string().describe('The content that an authenticator reads from a QR code'),
    secret: z.string().describe('The same secret to type in, base32; answered until it is confirmed'),
  }),
  errors: ['PROOF_NEEDED', 'TWO_FACTOR_ON'],
})

export const confirmSecondFactor = route({
  method: 'POST',
  path: '/api/user/v1/twoFactor/confirm',
  who: 'user',
  title: { cn: '开启两步验证', en: 'Turn on two-factor authentication' },
  request: z.object({ code: secondFactorCode }),
  answer: z.object({
    recoveryCodes: z.array(z.string()).describe('Ten, each for one use; answered this once'),
  }),
  errors: ['PROOF_NEEDED', 'TWO_FACTOR_ON', 'TWO_FACTOR_OFF', '07010110', '07010112'],
})

export const removeSecondFactor = route({
  method: 'DELETE',
  path: '/api/user/v1/twoFactor',
  who: 'user',
  title: { cn: '关闭两步验证', en: 'Turn off two-factor authentication' },
  request: z.object({ code: secondFactorCode }),
  answer: nothing,
  errors: ['PROOF_NEEDED', 'TWO_FACTOR_OFF', '07010110', '07010112'],
})
