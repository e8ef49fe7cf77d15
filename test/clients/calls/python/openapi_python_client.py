"""Ten calls and five refused ones with the client of openapi-python-client."""

import os

from reelgate_api_client import AuthenticatedClient
from reelgate_api_client.api.account import get_usage
from reelgate_api_client.api.chapters import create_chapter
from reelgate_api_client.api.events import list_events
from reelgate_api_client.api.folders import create_folder, delete_folder, list_folders
from reelgate_api_client.api.videos import get_video, get_video_status, list_videos, update_video
from reelgate_api_client.api.webhooks import create_webhook_endpoint
from reelgate_api_client.models import (
    CreateChapterBody,
    CreateFolderBody,
    CreateWebhookEndpointBody,
    Error,
    EventTypeName,
    EventVideoReady,
    SubscribableEventType,
    UpdateVideoBody,
)

from show import BASE, NAME, VIDEO, show

client = AuthenticatedClient(base_url=BASE, token=os.environ["API_KEY"])


def refused(call, response):
    assert isinstance(response.parsed, Error), response
    error = response.parsed.error
    show(call, int(response.status_code), error.code, error.type_, error.message != "", error.request_id != "")


videos = list_videos.sync(client=client)
show("listVideos", len(videos.data), videos.has_more, videos.data[0].error.code, videos.data[1].error)
video = get_video.sync(VIDEO, client=client)
show("getVideo", video.status, video.size_bytes, video.resolutions, video.folder_id)
status = get_video_status.sync(VIDEO, client=client)
show("getVideoStatus", status.status, status.duration, status.progress.percent)
show("updateVideo", update_video.sync(VIDEO, client=client, body=UpdateVideoBody(title=NAME)).title)
folder = create_folder.sync(client=client, body=CreateFolderBody(name=NAME))
show("createFolder", folder.name, folder.parent_id)
folders = list_folders.sync(client=client)
show("listFolders", folders.data[0].name, folders.data[0].video_count)
receiver = CreateWebhookEndpointBody(
    url=os.environ["RECEIVER_URL"], events=[SubscribableEventType.VIDEO_READY]
)
endpoint = create_webhook_endpoint.sync(client=client, body=receiver)
show("createWebhookEndpoint", endpoint.is_active, endpoint.disabled_reason, endpoint.secret != "")
event = list_events.sync(client=client, type_=EventTypeName.VIDEO_READY).data[0]
assert isinstance(event, EventVideoReady), event
show("listEvents", event.type_, event.data.id)
usage = get_usage.sync(client=client)
show("getUsage", usage.encoding.minutes, usage.storage.limit_bytes)

stranger = AuthenticatedClient(base_url=BASE, token="rg_live_unknown")
refused("invalid_api_key", list_videos.sync_detailed(client=stranger))
refused("video_not_found", get_video.sync_detailed("0" * 20, client=client))
refused("folder_exists", create_folder.sync_detailed(client=client, body=CreateFolderBody(name=NAME)))
nowhere = UpdateVideoBody(folder_id=999999999)
refused("folder_not_found", update_video.sync_detailed(VIDEO, client=client, body=nowhere))
backwards = CreateChapterBody(title=NAME, start=3, end=2)
refused("invalid_chapter_range", create_chapter.sync_detailed(VIDEO, client=client, body=backwards))

deleted = delete_folder.sync(folder.id, client=client)
show("deleteFolder", deleted.id == folder.id, deleted.deleted)
