import { joining } from './joining.ts'
import { outside } from './outside.ts'

/** The texts of the screens on the way to an account. */
export const start = { ...outside, joining }
