import type { Text } from '../text.ts'
import { app } from './app.ts'
import { login } from './login.ts'
import { notices } from './notices.ts'
import { time } from './time.ts'

export const outside: Pick<Text, 'app' | 'login' | 'notices' | 'time'> = { app, login, notices, time }
