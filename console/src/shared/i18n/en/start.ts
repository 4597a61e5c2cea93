import type { Text } from '../text.ts'
import { joining } from './joining.ts'
import { outside } from './outside.ts'

export const start: Pick<Text, 'app' | 'joining' | 'login' | 'notices' | 'time'> = { ...outside, joining }
