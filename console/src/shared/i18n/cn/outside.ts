import { app } from './app.ts'
import { login } from './login.ts'
import { notices } from './notices.ts'
import { time } from './time.ts'

/** The texts of the screens before a session. */
export const outside = { app, login, notices, time }
