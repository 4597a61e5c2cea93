import http2 from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'

/* Read before the platform, this has the ping of a line between nodes throw, as one on a destroyed session does: to prove that a run would notice. */

const { connect } = http2
http2.connect = ((...given: Parameters<typeof connect>) => {
  const session = connect(...given)
  session.ping = () => {
    throw new Error('the session has been destroyed')
  }
  return session
}) as typeof connect
syncBuiltinESMExports()
