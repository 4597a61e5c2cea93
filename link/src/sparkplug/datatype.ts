/** Sparkplug B data types by number (Sparkplug 3.0, section 6.4.16; `DataType` of sparkplug_b.proto). */
export const SparkplugDatatype = {
  unknown: 0,
  int8: 1,
  int16: 2,
  int32: 3,
  int64: 4,
  uint8: 5,
  uint16: 6,
  uint32: 7,
  uint64: 8,
  float: 9,
  double: 10,
  boolean: 11,
  string: 12,
  dateTime: 13,
  text: 14,
  uuid: 15,
  dataSet: 16,
  bytes: 17,
  file: 18,
  template: 19,
  propertySet: 20,
  propertySetList: 21,
} as const

export type SparkplugDatatypeNumber = (typeof SparkplugDatatype)[keyof typeof SparkplugDatatype]
