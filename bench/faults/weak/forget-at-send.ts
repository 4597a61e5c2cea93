import { registerHooks } from 'node:module'

/*
 * Loaded into an agent by `--import`, to show that the fault runner notices: its outbox forgets what it gives to be
 * sent.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isOutbox =
      specifier.endsWith('/outbox/outbox.ts') && context.parentURL?.endsWith('/agent/src/agent.ts')
    return next(isOutbox ? new URL('forgetful-outbox.ts', import.meta.url).href : specifier, context)
  },
})
