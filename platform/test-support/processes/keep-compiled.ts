import { flushCompileCache } from 'node:module'

/* Read before a program that is killed: the cache of compiled code, which Node writes at a proper end, is written when it is ready. */

const send = process.send?.bind(process)
if (send)
  process.send = (message: unknown, ...more: []) => {
    if ((message as { type?: unknown }).type === 'ready') flushCompileCache()
    return send(message, ...more)
  }
