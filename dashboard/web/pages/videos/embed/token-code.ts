import type { Embedded } from './embed-code.ts'

/** The languages of the code that signs a viewer token on the site's server. */
export const TOKEN_LANGUAGES = ['typescript', 'python', 'php', 'go', 'ruby'] as const

export type TokenLanguage = (typeof TOKEN_LANGUAGES)[number]

export const TOKEN_LANGUAGE_NAMES: Record<TokenLanguage, string> = {
  typescript: 'JavaScript / TypeScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  ruby: 'Ruby',
}

/** A token from the API, by the client library. */
export const sdkSnippet = ({ id }: Pick<Embedded, 'id'>): string =>
  `import { Reelgate } from '@reelgate/sdk'

const reelgate = new Reelgate({
  apiKey: process.env.REELGATE_API_KEY,
  baseUrl: process.env.REELGATE_API_URL,
})

const token = await reelgate.playbackTokens.create('${id}', { viewer_id: 'viewer-42' })
console.log(token.iframe_html)`

/** Code that signs a viewer token (contract, "Viewer token") and prints the address of the embed. */
export const tokenSnippet = (
  language: TokenLanguage,
  { embed_url: url }: Pick<Embedded, 'embed_url'>,
): string => SNIPPETS[language](url)

const SNIPPETS: Record<TokenLanguage, (url: string) => string> = {
  typescript: (url) => `import { createHmac } from 'node:crypto'

function viewerToken(viewerId, ttlSeconds = 3600) {
  const exp = Math.floor(Date.now() / 1000) + ttlSeconds
  const payload = Buffer.from(JSON.stringify({ vid: viewerId, exp })).toString('base64url')
  const signature = createHmac('sha256', process.env.REELGATE_SIGNING_SECRET)
    .update(payload)
    .digest('base64url')
  return \`\${payload}.\${signature}\`
}

console.log(\`${url}?vt=\${viewerToken('viewer-42')}\`)`,

  python: (url) => `import base64, hashlib, hmac, json, os, time

def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

def viewer_token(viewer_id, ttl_seconds=3600):
    claims = {"vid": viewer_id, "exp": int(time.time()) + ttl_seconds}
    payload = base64url(json.dumps(claims, separators=(",", ":"), ensure_ascii=False).encode())
    secret = os.environ["REELGATE_SIGNING_SECRET"].encode()
    signature = hmac.new(secret, payload.encode(), hashlib.sha256).digest()
    return payload + "." + base64url(signature)

print("${url}?vt=" + viewer_token("viewer-42"))`,

  php: (url) => `<?php
function base64url(string $data): string {
    return rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
}

function viewerToken(string $viewerId, int $ttlSeconds = 3600): string {
    $claims = ['vid' => $viewerId, 'exp' => time() + $ttlSeconds];
    $json = json_encode($claims, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    $payload = base64url($json);
    $secret = getenv('REELGATE_SIGNING_SECRET');
    return $payload . '.' . base64url(hash_hmac('sha256', $payload, $secret, true));
}

echo '${url}?vt=' . viewerToken('viewer-42'), "\\n";`,

  go: (url) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

type claims struct {
	ViewerID string \`json:"vid"\`
	Expires  int64  \`json:"exp"\`
}

func viewerToken(viewerID string, ttl time.Duration) (string, error) {
	data, err := json.Marshal(claims{viewerID, time.Now().Add(ttl).Unix()})
	if err != nil {
		return "", err
	}
	payload := base64.RawURLEncoding.EncodeToString(data)
	mac := hmac.New(sha256.New, []byte(os.Getenv("REELGATE_SIGNING_SECRET")))
	mac.Write([]byte(payload))
	return payload + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)), nil
}

func main() {
	token, err := viewerToken("viewer-42", time.Hour)
	if err != nil {
		panic(err)
	}
	fmt.Println("${url}?vt=" + token)
}`,

  ruby: (url) => `require 'json'
require 'openssl'

def base64url(data)
  [data].pack('m0').tr('+/', '-_').delete('=')
end

def viewer_token(viewer_id, ttl_seconds = 3600)
  payload = base64url(JSON.generate(vid: viewer_id, exp: Time.now.to_i + ttl_seconds))
  secret = ENV.fetch('REELGATE_SIGNING_SECRET')
  "#{payload}.#{base64url(OpenSSL::HMAC.digest('SHA256', secret, payload))}"
end

puts "${url}?vt=#{viewer_token('viewer-42')}"`,
}
