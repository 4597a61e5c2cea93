import { QrSignIn } from '../qr/qr-sign-in.tsx'
import { ChallengeStep } from './challenge-step.tsx'

/** The parts of the sign-in that most never see. */
export const signInParts = { ChallengeStep, QrSignIn } as const

export type SignInParts = typeof signInParts
