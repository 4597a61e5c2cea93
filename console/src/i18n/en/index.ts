import type { Text } from '../text.ts'
import { app } from './app.ts'
import { login } from './login.ts'
import { machines } from './machines.ts'
import { notices } from './notices.ts'
import { safety } from './safety.ts'
import { time } from './time.ts'

export const en: Text = { app, login, machines, notices, safety, time }
