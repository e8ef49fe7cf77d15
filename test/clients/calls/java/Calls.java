// Ten calls and five refused ones with the Java client of OpenAPI Generator.

import com.google.gson.GsonBuilder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AccountApi;
import org.openapitools.client.api.ChaptersApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.FoldersApi;
import org.openapitools.client.api.VideosApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.*;

public class Calls {
    private static final String VIDEO = System.getenv("VIDEO_ID");
    private static final String NAME = System.getenv("NAME");

    private interface Call {
        void make() throws ApiException;
    }

    private static void show(String call, Object... result) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("call", call);
        line.put("result", Arrays.asList(result));
        System.out.println(new GsonBuilder().serializeNulls().create().toJson(line));
    }

    private static void refused(String call, Call refused) throws Exception {
        try {
            refused.make();
        } catch (ApiException exception) {
            ErrorDetails error = org.openapitools.client.model.Error.fromJson(exception.getResponseBody()).getError();
            boolean hasMessage = !error.getMessage().isEmpty();
            boolean hasId = !error.getRequestId().isEmpty();
            show(call, exception.getCode(), error.getCode(), error.getType().getValue(), hasMessage, hasId);
        }
    }

    private static ApiClient clientOf(String key) {
        ApiClient client = new ApiClient().setBasePath(System.getenv("API_BASE"));
        client.setBearerToken(key);
        return client;
    }

    public static void main(String[] arguments) throws Exception {
        ApiClient client = clientOf(System.getenv("API_KEY"));
        VideosApi videosApi = new VideosApi(client);
        FoldersApi foldersApi = new FoldersApi(client);
        readVideos(videosApi);
        Folder folder = foldersApi.createFolder(new CreateFolderRequest().name(NAME), null);
        show("createFolder", folder.getName(), folder.getParentId());
        Folder listed = foldersApi.listFolders(null, null, null).getData().get(0);
        show("listFolders", listed.getName(), listed.getVideoCount());
        readTheRest(client);

        VideosApi stranger = new VideosApi(clientOf("rg_live_unknown"));
        refused("invalid_api_key", () -> stranger.listVideos(null, null, null, null, null));
        refused("video_not_found", () -> videosApi.getVideo("0".repeat(20), null));
        refused("folder_exists", () -> foldersApi.createFolder(new CreateFolderRequest().name(NAME), null));
        UpdateVideoRequest nowhere = new UpdateVideoRequest().folderId(999_999_999L);
        refused("folder_not_found", () -> videosApi.updateVideo(VIDEO, null, null, nowhere));
        CreateChapterRequest backwards = new CreateChapterRequest().title(NAME).start(3).end(2);
        refused("invalid_chapter_range", () -> new ChaptersApi(client).createChapter(VIDEO, backwards, null));

        DeletedFolder deleted = foldersApi.deleteFolder(folder.getId(), null, null);
        show("deleteFolder", deleted.getId().equals(folder.getId()), deleted.getDeleted());
        System.exit(0);
    }

    private static void readVideos(VideosApi api) throws ApiException {
        VideoList videos = api.listVideos(null, null, null, null, null);
        List<Video> data = videos.getData();
        show("listVideos", data.size(), videos.getHasMore(), data.get(0).getError().getCode(), data.get(1).getError());
        Video video = api.getVideo(VIDEO, null);
        show("getVideo", video.getStatus().getValue(), video.getSizeBytes(), video.getResolutions(), video.getFolderId());
        VideoStatus status = api.getVideoStatus(VIDEO);
        show("getVideoStatus", status.getStatus().getValue(), status.getDuration(), status.getProgress().getPercent());
        UpdateVideoRequest renaming = new UpdateVideoRequest().title(NAME);
        show("updateVideo", api.updateVideo(VIDEO, null, null, renaming).getTitle());
    }

    private static void readTheRest(ApiClient client) throws ApiException {
        CreateWebhookEndpointRequest receiver = new CreateWebhookEndpointRequest()
            .url(System.getenv("RECEIVER_URL"))
            .events(List.of(SubscribableEventType.VIDEO_READY));
        CreatedWebhookEndpoint endpoint = new WebhooksApi(client).createWebhookEndpoint(receiver, null);
        show("createWebhookEndpoint", endpoint.getIsActive(), endpoint.getDisabledReason(), !endpoint.getSecret().isEmpty());
        EventList events = new EventsApi(client).listEvents(EventTypeName.VIDEO_READY, null, null, null, null);
        EventVideoReady event = events.getData().get(0).getEventVideoReady();
        show("listEvents", event.getType().getValue(), event.getData().getId());
        Usage usage = new AccountApi(client).getUsage(null, null);
        show("getUsage", usage.getEncoding().getMinutes(), usage.getStorage().getLimitBytes());
    }
}
