import { ChallengeStep } from './challenge-step.tsx'
import { QrSignIn } from './qr-sign-in.tsx'

/** The parts of the sign-in that most people never see. */
export const signInParts = { ChallengeStep, QrSignIn } as const

export type SignInParts = typeof signInParts
