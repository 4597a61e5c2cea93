// Whether the platform of this container can serve: exit code 0 or 1. The certificate is for its public name, not for
// the loopback address, so it is not looked at.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

const timeoutMs = 4_000
const port = process.env.PORT ?? '8080'
const isHttps = Boolean(process.env.TLS_CERT_FILE)
const request = isHttps ? requestHttps : requestHttp
const options = { host: '127.0.0.1', port, path: '/readyz', timeout: timeoutMs, rejectUnauthorized: false }

request(options, (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1
  answer.resume()
})
  .on('timeout', function () {
    this.destroy(new Error('no answer'))
  })
  .on('error', (error) => {
    console.error(error.message)
    process.exitCode = 1
  })
  .end()
