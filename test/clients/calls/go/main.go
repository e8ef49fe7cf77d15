// Ten calls and five refused ones with the client of oapi-codegen, which is the package `reelgate`.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"reelgate.local/calls/reelgate"
)

var ctx = context.Background()

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func show(call string, result ...any) {
	fmt.Println(string(must(json.Marshal(map[string]any{"call": call, "result": result}))))
}

func refused(call string, response *http.Response, body *reelgate.Error) {
	e := body.Error
	show(call, response.StatusCode, e.Code, e.Type, e.Message != "", e.RequestId != "")
}

func clientOf(key string) *reelgate.ClientWithResponses {
	sign := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	return must(reelgate.NewClientWithResponses(os.Getenv("API_BASE"), reelgate.WithRequestEditorFn(sign)))
}

func main() {
	client := clientOf(os.Getenv("API_KEY"))
	video, name := os.Getenv("VIDEO_ID"), os.Getenv("NAME")
	folder := makeCalls(client, video, name)
	makeRefusedCalls(client, video, name)
	deleted := must(client.DeleteFolderWithResponse(ctx, folder, nil)).JSON200
	show("deleteFolder", deleted.Id == folder, deleted.Deleted)
}

func makeCalls(client *reelgate.ClientWithResponses, video string, name string) int64 {
	videos := must(client.ListVideosWithResponse(ctx, &reelgate.ListVideosParams{})).JSON200
	show("listVideos", len(videos.Data), videos.HasMore, videos.Data[0].Error.Code, videos.Data[1].Error)
	one := must(client.GetVideoWithResponse(ctx, video, nil)).JSON200
	show("getVideo", one.Status, one.SizeBytes, one.Resolutions, one.FolderId)
	status := must(client.GetVideoStatusWithResponse(ctx, video)).JSON200
	show("getVideoStatus", status.Status, status.Duration, status.Progress.Percent)
	body := reelgate.UpdateVideoJSONRequestBody{Title: &name}
	show("updateVideo", must(client.UpdateVideoWithResponse(ctx, video, nil, body)).JSON200.Title)
	named := reelgate.CreateFolderJSONRequestBody{Name: name}
	folder := must(client.CreateFolderWithResponse(ctx, nil, named)).JSON201
	show("createFolder", folder.Name, folder.ParentId)
	folders := must(client.ListFoldersWithResponse(ctx, &reelgate.ListFoldersParams{})).JSON200
	show("listFolders", folders.Data[0].Name, folders.Data[0].VideoCount)
	receiver := reelgate.CreateWebhookEndpointJSONRequestBody{
		Url:    os.Getenv("RECEIVER_URL"),
		Events: []reelgate.SubscribableEventType{"video.ready"},
	}
	endpoint := must(client.CreateWebhookEndpointWithResponse(ctx, nil, receiver)).JSON201
	show("createWebhookEndpoint", endpoint.IsActive, endpoint.DisabledReason, endpoint.Secret != "")
	ready := reelgate.EventTypeName("video.ready")
	events := must(client.ListEventsWithResponse(ctx, &reelgate.ListEventsParams{Type: &ready})).JSON200
	event := must(events.Data[0].AsEventVideoReady())
	show("listEvents", event.Type, event.Data.Id)
	usage := must(client.GetUsageWithResponse(ctx, &reelgate.GetUsageParams{})).JSON200
	show("getUsage", usage.Encoding.Minutes, usage.Storage.LimitBytes)
	return folder.Id
}

func makeRefusedCalls(client *reelgate.ClientWithResponses, video string, name string) {
	stranger := must(clientOf("rg_live_unknown").ListVideosWithResponse(ctx, nil))
	refused("invalid_api_key", stranger.HTTPResponse, stranger.JSON401)
	missing := must(client.GetVideoWithResponse(ctx, "00000000000000000000", nil))
	refused("video_not_found", missing.HTTPResponse, missing.JSON404)
	named := reelgate.CreateFolderJSONRequestBody{Name: name}
	again := must(client.CreateFolderWithResponse(ctx, nil, named))
	refused("folder_exists", again.HTTPResponse, again.JSON409)
	nowhere := int64(999999999)
	moving := reelgate.UpdateVideoJSONRequestBody{FolderId: &nowhere}
	moved := must(client.UpdateVideoWithResponse(ctx, video, nil, moving))
	refused("folder_not_found", moved.HTTPResponse, moved.JSON400)
	backwards := reelgate.CreateChapterJSONRequestBody{Title: name, Start: 3, End: 2}
	chapter := must(client.CreateChapterWithResponse(ctx, video, nil, backwards))
	refused("invalid_chapter_range", chapter.HTTPResponse, chapter.JSON422)
}
