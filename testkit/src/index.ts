export * from './builders.ts'
export * from './database.ts'
export * from './platform.ts'
export * from './push-client.ts'
