import { Pool } from 'undici'
import { serve } from '../src/rpc.ts'

/* Posts one body again and again, by the client that the platform has, without anything before or after it. */

serve({
  /** Answers how many requests were accepted in a second. */
  async post(input: { origin: string; path: string; body: string; connections: number; ms: number }) {
    const { origin, path, body, connections, ms } = input
    const pool = new Pool(origin, { connections, pipelining: 1 })
    const bytes = Buffer.from(body)
    const headers = { 'user-agent': 'Busbar', 'content-type': 'application/json' }
    const beganAt = performance.now()
    let accepted = 0
    const postAll = async () => {
      while (performance.now() - beganAt < ms) {
        const answer = await pool.request({ method: 'POST', path, headers, body: bytes })
        await answer.body.dump()
        if (answer.statusCode === 204) accepted++
      }
    }
    await Promise.all(Array.from({ length: connections }, postAll))
    const perS = (accepted * 1_000) / (performance.now() - beganAt)
    await pool.close()
    return perS
  },
})
