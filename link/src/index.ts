export * from './agent-config.ts'
export * from './agent-service.ts'
export * from './buffers-in-heap.ts'
export * from './conventions.ts'
export * from './kept-values.ts'
export * from './link-error.ts'
export * from './sparkplug/datatype.ts'
export {
  decodeSparkplugEnvelope,
  decodeSparkplugPayload,
  SparkplugDecoder,
} from './sparkplug/decode-payload.ts'
export { encodeSparkplugPayload } from './sparkplug/encode-payload.ts'
export * from './sparkplug/metric-value.ts'
export * from './sparkplug/payload.ts'
export * from './sparkplug/topic.ts'
export * from './text-encoding.ts'
export * from './told-signals.ts'
export * from './tunnel.ts'
export * from './tunnel-session.ts'
export * from './tunnel-stream.ts'
export * from './window-policy.ts'
