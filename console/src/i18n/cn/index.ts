import { app } from './app.ts'
import { login } from './login.ts'
import { machines } from './machines.ts'
import { notices } from './notices.ts'
import { safety } from './safety.ts'
import { time } from './time.ts'

/** The Chinese dictionary; the one that decides which keys exist. */
export const cn = { app, login, machines, notices, safety, time }
