export { create, fromBinary, toBinary } from '@bufbuild/protobuf'
export * from './push_pb.ts'
