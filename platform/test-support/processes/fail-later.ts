/* Read before the platform, this lets a signal plant what no code of it may do: a callback of a timer that throws, and a rejection without a listener. */

process.on('SIGUSR2', () =>
  setTimeout(() => {
    throw new Error('a timer failed')
  }),
)
process.on('SIGURG', () => void Promise.reject(new Error('nobody listens')))
