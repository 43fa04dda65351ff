export { apiDocument, type DocumentInfo, documentText } from './document.ts';
export {
  CREDITS_SCHEMA,
  errorResponses,
  KEY_CREDITS_SCHEMA,
  QUOTE_SCHEMA,
} from './error-responses.ts';
export { COMMON_HEADERS, CREDIT_HEADERS, HEADERS, type HeaderName, headers } from './headers.ts';
export {
  arrayOf,
  DATE,
  INSTANT,
  NULL,
  nullable,
  object,
  ref,
  type Schema,
  TEXT,
  URI,
  USD,
  UUID,
} from './schemas.ts';
export { KEY_SECURITY, NO_SECURITY, SECURITY_SCHEMES } from './security.ts';
export type {
  HeadersObject,
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  PathItemObject,
  PathsObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  ResponsesObject,
  SchemaObject,
} from './types.ts';
