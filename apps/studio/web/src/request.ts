// One HTTP request to the server this page came from, and what may go wrong with it.

type ErrorKind =
  | "invalid_input"
  | "not_found"
  | "bad_format"
  | "backend"
  | "conflict"
  | "forbidden"
  | "too_large"
  | "unauthorized"
  | "busy"
  | "offline";

/** Why a call failed. `status` is 0 when no answer came ("offline"). */
export class ApiError extends Error {
  constructor(
    readonly kind: ErrorKind,
    readonly status: number,
    message: string,
    /** The whole answer: some errors carry more, as `current`, `points` or `image`. */
    readonly body: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** Whether the same request may succeed by itself after a while. */
  get passes(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  json?: unknown;
  bytes?: Blob;
  /** Milliseconds until the request counts as lost. */
  timeout?: number;
  signal?: AbortSignal;
}

/** The JSON answer of the server to a request, undefined where it has none (204). */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await answer(path, options);
  const body = await bodyOf(response);
  if (!response.ok) throw errorOf(response.status, body);
  return body as T;
}

async function answer(path: string, options: RequestOptions): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), options.timeout ?? 30_000);
  options.signal?.addEventListener("abort", () => limit.abort());
  try {
    return await fetch(path, { ...contentOf(options), signal: limit.signal });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError("offline", 0, "The studio's server does not answer. Is it running?");
  } finally {
    clearTimeout(timer);
  }
}

function contentOf(options: RequestOptions): RequestInit {
  const method = options.method ?? "GET";
  if (options.bytes) {
    return { method, body: options.bytes, headers: { "Content-Type": "application/octet-stream" } };
  }
  if (options.json === undefined) return { method };
  return {
    method,
    body: JSON.stringify(options.json),
    headers: { "Content-Type": "application/json" },
  };
}

async function bodyOf(response: Response): Promise<unknown> {
  // An answer that breaks off is as good as none: the change may or may not have been stored.
  const text = await response.text().catch(() => {
    throw new ApiError("offline", 0, "The server's answer broke off.");
  });
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The error that an answer with this status and body stands for. */
function errorOf(status: number, body: unknown): ApiError {
  if (status === 401) leaveForLogin();
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const error = fields["error"] as { kind?: ErrorKind; message?: string } | undefined;
  const message = error?.message ?? `The server answered with status ${status}.`;
  return new ApiError(error?.kind ?? kindOf(status), status, message, fields);
}

function kindOf(status: number): ErrorKind {
  const kinds: Record<number, ErrorKind> = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    409: "conflict",
    413: "too_large",
    429: "busy",
    503: "busy",
  };
  return kinds[status] ?? (status >= 500 ? "backend" : "invalid_input");
}

// Changes that are not acknowledged yet stay in localStorage, so leaving the page loses nothing.
function leaveForLogin(): void {
  if (typeof location !== "undefined") location.assign("/login");
}

/** `?a=1&b=x` of the values that are there, empty when none is. */
export function query(
  values: Record<string, string | number | boolean | null | undefined>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
